(** * The elements of a bag, and those of the bags that it is made of

    [decompose] gives for each operator over bags what puts an element into its result, and where each element of its result is from;
    the functions that say so are those that the proof has defined. *)
From Tallystick Require Export Members.

Section Decompose.
  Variables (ds : list defined) (G : term).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.
  Notation fine := (fine ds G).
  Notation lawful := (lawful ds G).
  Notation member := (member ds).
  Notation find_defined := (find_defined ds).

  Definition law_if (over : list ty) (p q : term) : list law := [{| law_over := over; law_says := implies p q |}].
  Lemma law_if_ok over p q : bool_term p -> bool_term q -> (forall r, fine r -> toB (meaning r p) = true -> toB (meaning r q) = true) ->
    Forall lawful (law_if over p q).
  Proof.
    intros P Q H. constructor; [|constructor]. split; cbn [law_says].
    - exact (proj1 (implies_ok default_env p q default_env_typed P Q)).
    - intros r F. rewrite (proj2 (implies_ok r p q (fine_typed _ _ _ F) P Q)). specialize (H r F). destruct (toB (meaning r p)); cbn; auto.
  Qed.
  Lemma conj2 p q : bool_term p -> bool_term q -> bool_term (conj [p; q]) /\
    forall r, typed r -> (toB (meaning r (conj [p; q])) = true <-> toB (meaning r p) = true /\ toB (meaning r q) = true).
  Proof.
    intros P Q. assert (B : Forall bool_term [p; q]) by (repeat constructor; auto). split; [exact (proj1 (conj_list_ok default_env _ default_env_typed B))|].
    intros r R. rewrite (proj2 (conj_list_ok r _ R B)). cbn [map forallb]. rewrite andb_true_r. apply andb_true_iff.
  Qed.
  Lemma disj2 p q : bool_term p -> bool_term q -> bool_term (disj [p; q]) /\
    forall r, typed r -> (toB (meaning r (disj [p; q])) = true <-> toB (meaning r p) = true \/ toB (meaning r q) = true).
  Proof.
    intros P Q. assert (B : Forall bool_term [p; q]) by (repeat constructor; auto). split; [exact (proj1 (disj_list_ok default_env _ default_env_typed B))|].
    intros r R. rewrite (proj2 (disj_list_ok r _ R B)). cbn [map existsb]. rewrite orb_false_r. apply orb_true_iff.
  Qed.
  Lemma same_value x y t : type x = Some t -> type y = Some t -> bool_term (eq' x y) /\
    forall r, typed r -> (toB (meaning r (eq' x y)) = true <-> meaning r x = meaning r y).
  Proof.
    intros X Y. split; [exact (proj1 (eq_ok default_env x y t default_env_typed X Y))|]. intros r R. rewrite (proj2 (eq_ok r x y t R X Y)). apply veqb_eq.
  Qed.
  Lemma applied_type f u t x : type x = Some u -> typeof (Some u) None f = Some t -> type (apply (Some x) None f) = Some t.
  Proof. intros X T. exact (proj1 (applied f u t x default_env nothing default_env_typed X T)). Qed.

  (** What is in [b] in terms of what is in the bags that [b] is made of. *)
  Definition from_map (ts : list ty) (t : ty) (f c : term) (d : defined) : list law := match type c with
    | Some (TBag u) => match member ts u c, find_defined (ts ++ [t]) u (chooser u (Op Equal [f; parameter ts t]) c) with
        | Some e, Some w =>
            let X := parameter ts t in let W := apply_to w ts [X] in let Y := parameter ts u in
            law_if (ts ++ [t]) (apply_to d ts [X]) (conj [apply_to e ts [W]; eq' (apply (Some W) None f) X]) ++
            law_if (ts ++ [u]) (apply_to e ts [Y]) (apply_to d ts [apply (Some Y) None f])
        | _, _ => [] end
    | _ => [] end.
  Definition from_filter (ts : list ty) (t : ty) (f c : term) (d : defined) : list law := match member ts t c with
    | Some e => let X := parameter ts t in let both := conj [apply_to e ts [X]; apply (Some X) None f] in
        law_if (ts ++ [t]) (apply_to d ts [X]) both ++ law_if (ts ++ [t]) both (apply_to d ts [X])
    | None => [] end.
  Definition from_product (ts : list ty) (t : ty) (b c : term) (d : defined) : list law := match type b, type c with
    | Some (TBag u), Some (TBag w) => match member ts u b, member ts w c with
        | Some e1, Some e2 => let X := parameter ts t in let Y := Var (Any (List.length ts)) u in let Z := Var (Any (Datatypes.S (List.length ts))) w in
            law_if (ts ++ [t]) (apply_to d ts [X]) (conj [apply_to e1 ts [proj X 0]; apply_to e2 ts [proj X 1]]) ++
            law_if (ts ++ [u; w]) (conj [apply_to e1 ts [Y]; apply_to e2 ts [Z]]) (apply_to d ts [Op Tuple [Y; Z]])
        | _, _ => [] end
    | _, _ => [] end.
  Definition from_union (ts : list ty) (t : ty) (b c : term) (d : defined) : list law := match member ts t b, member ts t c with
    | Some e1, Some e2 => let X := parameter ts t in let either := disj [apply_to e1 ts [X]; apply_to e2 ts [X]] in
        law_if (ts ++ [t]) (apply_to d ts [X]) either ++ law_if (ts ++ [t]) either (apply_to d ts [X])
    | _, _ => [] end.
  Definition from_distinct (ts : list ty) (t : ty) (c : term) (d : defined) : list law := match member ts t c with
    | Some e => let X := parameter ts t in
        law_if (ts ++ [t]) (apply_to d ts [X]) (apply_to e ts [X]) ++ law_if (ts ++ [t]) (apply_to e ts [X]) (apply_to d ts [X])
    | None => [] end.
  Definition from_without (ts : list ty) (t : ty) (f b c : term) (d : defined) : list law := match type c with
    | Some (TBag u) => match member ts t b, member ts u c with
        | Some e1, Some e2 => let X := parameter ts t in let alone := conj [apply_to e1 ts [X]; mk Not [apply_to e2 ts [apply (Some X) None f]]] in
            law_if (ts ++ [t]) (apply_to d ts [X]) alone ++ law_if (ts ++ [t]) alone (apply_to d ts [X])
        | _, _ => [] end
    | _ => [] end.
  Definition of_key (ts : list ty) (k u : ty) : term := Op Equal [Op (Proj 0) [Elem (TTup [k; u])]; parameter ts k].
  Definition from_by_key (ts : list ty) (t : ty) (i f c : term) (d : defined) : list law := match t, type c with
    | TTup [k; s], Some (TBag (TTup [k'; u])) => match member ts (TTup [k; u]) c, find_defined (ts ++ [k]) s (bucket ts k u i f c),
          find_defined (ts ++ [k]) (TTup [k; u]) (chooser (TTup [k; u]) (of_key ts k u) c) with
        | Some e, Some v, Some w => if negb (ty_eqb k k') then [] else
            let X := parameter ts t in let K := proj X 0 in let W := apply_to w ts [K] in let Y := parameter ts (TTup [k; u]) in
            law_if (ts ++ [t]) (apply_to d ts [X]) (conj [eq' (proj X 1) (apply_to v ts [K]); conj [apply_to e ts [W]; eq' (proj W 0) K]]) ++
            law_if (ts ++ [TTup [k; u]]) (apply_to e ts [Y]) (apply_to d ts [Op Tuple [proj Y 0; apply_to v ts [proj Y 0]]])
        | _, _, _ => [] end
    | _, _ => [] end.
  Definition decompose (ts : list ty) (b : term) : list law := match type b with
    | Some (TBag t) => match member ts t b with
        | Some d => if scoped false ts b then match b with
            | Op Map [f; c] => from_map ts t f c d
            | Op Filter [f; c] => from_filter ts t f c d
            | Op Cartesian [b; c] => from_product ts t b c d
            | Op Union [b; c] => from_union ts t b c d
            | Op Distinct [c] => from_distinct ts t c d
            | Op Without [f; b; c] => from_without ts t f b c d
            | Op FoldByKey [i; f; c] => from_by_key ts t i f c d
            | _ => [] end else []
        | None => [] end
    | _ => [] end.

  Theorem decompose_ok ts b : Forall lawful (decompose ts b).
  Proof.
    unfold decompose. destruct (type b) as [[| | | | |t]|] eqn:TB; try constructor. destruct (member ts t b) as [d|] eqn:M; try constructor.
    destruct (scoped false ts b) eqn:S; try constructor.
    assert (IN : forall r x, fine r -> type x = Some t -> (toB (meaning r (apply_to d ts [x])) = true <-> In (meaning r x) (elements (meaning r b))))
      by (intros r x F X; exact (member_ok ds G OK r ts t b d x F S M X)).
    assert (BT : forall x, type x = Some t -> bool_term (apply_to d ts [x])) by (intros x X; exact (member_type ds ts t b d x M X)).
    pose proof (fun u : ty => eq_refl : type (parameter ts u) = Some u) as PT.
    destruct b as [| | | | | |o args]; try constructor. destruct o; try constructor; destruct args as [|x1 [|x2 [|x3 [|]]]]; try constructor;
      unfold type in TB; cbn [typeof] in TB; whens; cbn [scoped applies forallb orb andb negb] in S; repeat rewrite ?andb_true_r, ?andb_true_iff in S.
    - (* map *) destruct S as [SF SC]. unfold from_map. change (type x2) with (typeof None None x2). rewrite E.
      destruct (member ts t1 x2) as [e|] eqn:Me; [|constructor]. destruct (find_defined _ _ _) as [w|] eqn:Mw; [|constructor]. apply found in Mw as (Jw & Tw & Gw & Bw).
      set (X := parameter ts t). set (W := apply_to w ts [X]). set (Y := parameter ts t1).
      assert (AX : typed_as [X] [t]) by (repeat constructor). assert (TW : type W = Some t1) by (rewrite <- Gw; now apply (apply_to_type ds w ts [t])).
      destruct (same_value (apply (Some W) None x1) X t (applied_type _ _ _ _ TW E1) (PT t)) as [Q1 Q2].
      destruct (conj2 _ _ (member_type ds ts t1 x2 e W Me TW) Q1) as [C1 C2].
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto.
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (IN r X F (PT t)) in H. apply (C2 r R). rewrite (Q2 r R).
        rewrite (member_ok ds G OK r ts t1 x2 e W F SC Me TW). rewrite (proj2 (applied x1 t1 t W r nothing R TW E1)).
        unfold meaning at 2 in H. cbn [run in_order] in H. apply elements_in, in_map_iff in H as (y & Y1 & Y2).
        pose proof (chooser_ok ds G OK r ts [t] [X] w t1 (Op Equal [x1; X]) x2 (fun y => veqb (eval r y nothing x1) (meaning r X)) F Jw Tw Bw AX SC) as CH.
        cbv beta in CH. rewrite veqb_eq in CH. apply CH.
        * intros y' m Y'. cbn [run]. rewrite toB_bool, (inside_here false r ts [t] [X] x1 R AX SF).
          change (eval (inside r ts [t] [X]) y' m X) with (inside r ts [t] [X] (Any (List.length ts)) t). rewrite (inside_first r ts t X [] [] R (PT t) (Forall2_nil _)). f_equal.
          pose proof (has_type_elements _ _ (typed_meaning r x2 _ R E)) as EV. rewrite Forall_forall in EV.
          exact (no_accumulator ts t1 x1 t r y' m nothing R SF E1 (EV y' Y')).
        * exists y. split; auto. rewrite veqb_eq. exact Y1.
      + apply (member_type ds ts t1 x2 e Y Me (PT t1)).
      + apply BT. now apply (applied_type x1 t1).
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (member_ok ds G OK r ts t1 x2 e Y F SC Me (PT t1)) in H. apply IN; auto; [now apply (applied_type x1 t1)|].
        rewrite (proj2 (applied x1 t1 t Y r nothing R (PT t1) E1)). unfold meaning at 2. cbn [run in_order]. apply elements_in.
        apply in_map_iff. exists (meaning r Y). auto.
    - (* filter *) destruct S as [SF SC]. unfold from_filter. destruct (member ts t x2) as [e|] eqn:Me; [|constructor]. set (X := parameter ts t).
      pose proof (applied_type x1 t TBool X (PT t) E1) as TP. destruct (conj2 _ _ (member_type ds ts t x2 e X Me (PT t)) TP) as [C1 C2].
      assert (EQ : forall r, fine r -> (toB (meaning r (apply_to d ts [X])) = true <-> toB (meaning r (conj [apply_to e ts [X]; apply (Some X) None x1])) = true)).
      { intros r F. pose proof (fine_typed _ _ _ F) as R. rewrite (C2 r R), (IN r X F (PT t)), (member_ok ds G OK r ts t x2 e X F SC Me (PT t)).
        rewrite (proj2 (applied x1 t TBool X r nothing R (PT t) E1)). unfold meaning at 2. cbn [run in_order]. rewrite elements_in, filter_In. tauto. }
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto; intros r F; apply (EQ r F).
    - (* product *) destruct S as [SB SC]. unfold from_product. change (type x1) with (typeof None None x1). change (type x2) with (typeof None None x2). rewrite E, E1.
      destruct (member ts t1 x1) as [e1|] eqn:M1; [|constructor]. destruct (member ts t3 x2) as [e2|] eqn:M2; [|constructor].
      set (X := parameter ts (TTup [t1; t3])). set (Y := Var (Any (List.length ts)) t1). set (Z := Var (Any (Datatypes.S (List.length ts))) t3).
      assert (X0 : type (proj X 0) = Some t1) by (eapply proj_type; [apply PT|reflexivity]). assert (X1 : type (proj X 1) = Some t3) by (eapply proj_type; [apply PT|reflexivity]).
      destruct (conj2 _ _ (member_type ds ts t1 x1 e1 _ M1 X0) (member_type ds ts t3 x2 e2 _ M2 X1)) as [C1 C2].
      destruct (conj2 _ _ (member_type ds ts t1 x1 e1 Y M1 eq_refl) (member_type ds ts t3 x2 e2 Z M2 eq_refl)) as [D1 D2].
      assert (TT : type (Op Tuple [Y; Z]) = Some (TTup [t1; t3])) by reflexivity.
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto.
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (IN r X F (PT _)) in H. apply (C2 r R). rewrite (member_ok ds G OK r ts t1 x1 e1 _ F SB M1 X0), (member_ok ds G OK r ts t3 x2 e2 _ F SC M2 X1), !m_proj.
        unfold meaning at 2 in H. cbn [run in_order] in H. apply elements_in, in_flat_map in H as (y & Y1 & Y2). apply in_map_iff in Y2 as (z & Z1 & Z2). rewrite <- Z1. auto.
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (D2 r R) in H as [H1 H2]. apply (member_ok ds G OK r ts t1 x1 e1 Y F SB M1 eq_refl) in H1.
        apply (member_ok ds G OK r ts t3 x2 e2 Z F SC M2 eq_refl) in H2. apply IN; auto. unfold meaning at 2. cbn [run in_order]. apply elements_in, in_flat_map.
        exists (meaning r Y). split; auto. apply in_map_iff. exists (meaning r Z). auto.
    - (* union *) destruct S as [SB SC]. unfold from_union. destruct (member ts t x1) as [e1|] eqn:M1; [|constructor]. destruct (member ts t x2) as [e2|] eqn:M2; [|constructor]. set (X := parameter ts t).
      destruct (disj2 _ _ (member_type ds ts t x1 e1 X M1 (PT t)) (member_type ds ts t x2 e2 X M2 (PT t))) as [C1 C2].
      assert (EQ : forall r, fine r -> (toB (meaning r (apply_to d ts [X])) = true <-> toB (meaning r (disj [apply_to e1 ts [X]; apply_to e2 ts [X]])) = true)).
      { intros r F. pose proof (fine_typed _ _ _ F) as R. rewrite (C2 r R), (IN r X F (PT t)), (member_ok ds G OK r ts t x1 e1 X F SB M1 (PT t)), (member_ok ds G OK r ts t x2 e2 X F SC M2 (PT t)).
        unfold meaning at 2. cbn [run in_order]. now rewrite elements_in, in_app_iff. }
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto; intros r F; apply (EQ r F).
    - (* distinct *) unfold from_distinct. destruct (member ts t x1) as [e|] eqn:Me; [|constructor]. set (X := parameter ts t). pose proof (member_type ds ts t x1 e X Me (PT t)) as TE.
      assert (EQ : forall r, fine r -> (toB (meaning r (apply_to d ts [X])) = true <-> toB (meaning r (apply_to e ts [X])) = true)).
      { intros r F. rewrite (IN r X F (PT t)), (member_ok ds G OK r ts t x1 e X F S Me (PT t)). unfold meaning at 2. cbn [run in_order]. now rewrite elements_in, dedup_in. }
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto; intros r F; apply (EQ r F).
    - (* without *) destruct S as (SF & SB & SC). unfold from_without. change (type x3) with (typeof None None x3). rewrite E2.
      destruct (member ts t x2) as [e1|] eqn:M1; [|constructor]. destruct (member ts t2 x3) as [e2|] eqn:M2; [|constructor]. set (X := parameter ts t).
      pose proof (applied_type x1 t t2 X (PT t) E1) as TP. pose proof (member_type ds ts t2 x3 e2 _ M2 TP) as TE. destruct (not_ok default_env _ default_env_typed TE) as [N1 _].
      destruct (conj2 _ _ (member_type ds ts t x2 e1 X M1 (PT t)) N1) as [C1 C2].
      assert (EQ : forall r, fine r -> (toB (meaning r (apply_to d ts [X])) = true <-> toB (meaning r (conj [apply_to e1 ts [X]; mk Not [apply_to e2 ts [apply (Some X) None x1]]])) = true)).
      { intros r F. pose proof (fine_typed _ _ _ F) as R. rewrite (C2 r R), (proj2 (not_ok r _ R TE)), (IN r X F (PT t)), (member_ok ds G OK r ts t x2 e1 X F SB M1 (PT t)), negb_true_iff.
        rewrite <- (not_true_iff_false (toB _)), (member_ok ds G OK r ts t2 x3 e2 _ F SC M2 TP), (proj2 (applied x1 t t2 X r nothing R (PT t) E1)).
        unfold meaning at 2. cbn [run in_order]. rewrite elements_in, filter_In, negb_true_iff, <- (not_true_iff_false (existsb _ _)), existsb_exists.
        assert (V : (exists x, In x (elements (eval r nothing nothing x3)) /\ veqb (eval r (meaning r X) nothing x1) x = true) <-> In (eval r (meaning r X) nothing x1) (elements (meaning r x3))).
        { split; [intros (v & V1 & V2); apply veqb_eq in V2; now subst|]. intros V. eexists. split; [exact V|]. apply veqb_refl. }
        rewrite V. tauto. }
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto; intros r F; apply (EQ r F).
    - (* by key *) destruct S as (SI & SF & SC). unfold from_by_key. change (type x3) with (typeof None None x3). rewrite E0.
      destruct (member ts (TTup [t3; t4]) x3) as [e|] eqn:Me; [|constructor]. destruct (find_defined (ts ++ [t3]) t0 _) as [v|] eqn:Mv; [|constructor].
      destruct (find_defined (ts ++ [t3]) (TTup [t3; t4]) _) as [w|] eqn:Mw; [|constructor]. rewrite ty_eqb_refl. cbn [negb].
      apply found in Mv as (Jv & Tv & Gv & Bv). apply found in Mw as (Jw & Tw & Gw & Bw).
      set (X := parameter ts (TTup [t3; t0])). set (K := proj X 0). set (W := apply_to w ts [K]). set (Y := parameter ts (TTup [t3; t4])).
      assert (TK : type K = Some t3) by (eapply proj_type; [apply PT|reflexivity]). assert (X1 : type (proj X 1) = Some t0) by (eapply proj_type; [apply PT|reflexivity]).
      assert (AK : typed_as [K] [t3]) by (repeat constructor; auto).
      assert (TV : forall k, type k = Some t3 -> type (apply_to v ts [k]) = Some t0) by (intros k TK'; rewrite <- Gv; apply (apply_to_type ds v ts [t3]); auto; repeat constructor; auto).
      assert (TW : type W = Some (TTup [t3; t4])) by (rewrite <- Gw; now apply (apply_to_type ds w ts [t3])).
      assert (W0 : type (proj W 0) = Some t3) by (eapply proj_type; [exact TW|reflexivity]). assert (Y0 : type (proj Y 0) = Some t3) by (eapply proj_type; [apply PT|reflexivity]).
      destruct (same_value _ _ _ X1 (TV K TK)) as [A1 A2]. destruct (same_value _ _ _ W0 TK) as [B1 B2].
      destruct (conj2 _ _ (member_type ds ts _ x3 e W Me TW) B1) as [C1 C2]. destruct (conj2 _ _ A1 C1) as [D1 D2].
      assert (TT : type (Op Tuple [proj Y 0; apply_to v ts [proj Y 0]]) = Some (TTup [t3; t0])) by (specialize (TV _ Y0); unfold type in *; cbn [typeof map sequence]; now rewrite Y0, TV).
      assert (VAL : forall r x, fine r -> type x = Some t3 -> meaning r (apply_to v ts [x]) =
          fold_left (fun m y => eval r y m x2) (map (component 1) (filter (fun p => veqb (component 0 p) (meaning r x)) (elements (meaning r x3)))) (meaning r x1)).
      { intros r x F TX. apply (bucket_ok ds G OK r ts t3 t4 x1 x2 x3 v x F Jv Tv Bv TX SC SI SF E0). }
      cbv zeta. apply Forall_app; split; apply law_if_ok; auto.
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (IN r X F (PT _)) in H. apply (D2 r R). rewrite (A2 r R), (C2 r R), (B2 r R), (member_ok ds G OK r ts _ x3 e W F SC Me TW), (VAL r K F TK).
        unfold meaning at 2 in H. cbn [run in_order] in H. apply elements_in, in_map_iff in H as (k & K1 & K2). apply (proj1 (dedup_in _ _)), in_map_iff in K2 as (p & P1 & P2).
        assert (KV : meaning r K = k) by (unfold K; rewrite m_proj, <- K1; reflexivity). rewrite KV, m_proj, <- K1. split; [reflexivity|].
        pose proof (chooser_ok ds G OK r ts [t3] [K] w _ (of_key ts t3 t4) x3 (fun q => veqb (component 0 q) k) F Jw Tw Bw AK SC) as CH.
        rewrite m_proj. cbv beta in CH. rewrite veqb_eq in CH. apply CH.
        * intros y m _. unfold of_key, parameter. cbn [run]. rewrite toB_bool, (inside_first r ts t3 K [] [] R TK (Forall2_nil _)). now rewrite KV.
        * exists p. split; auto. now rewrite veqb_eq.
      + exact (member_type ds ts _ x3 e Y Me (PT _)).
      + intros r F H. pose proof (fine_typed _ _ _ F) as R. apply (member_ok ds G OK r ts _ x3 e Y F SC Me (PT _)) in H. apply IN; auto.
        unfold meaning at 2. cbn [run in_order]. apply elements_in, in_map_iff. exists (meaning r (proj Y 0)). split.
        * unfold meaning at 3. cbn [run map]. fold (meaning r (proj Y 0)) (meaning r (apply_to v ts [proj Y 0])). now rewrite (VAL r _ F Y0).
        * apply (proj2 (dedup_in _ _)), in_map_iff. exists (meaning r Y). rewrite m_proj. auto.
  Qed.
End Decompose.
