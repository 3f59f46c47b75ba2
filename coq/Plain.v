(** * Claims in plain Coq

    [denote] turns a term into a function of Coq over [Z], [bool], pairs and lists, made of [map], [filter], [fold_left] and
    such.  [plain_sound] says of two programs that the checker accepts that these functions return the same: permutations of
    one list where they return bags.  Exported files state that for their programs, spelt out. *)
From Tallystick Require Export Check.

(** ** Types and values *)
Fixpoint plain_type (t : ty) : Type := match t with
  | TInt => Z | TBool => bool | TText => string | TOpt t => option (plain_type t) | TBag t => list (plain_type t)
  | TTup ts => (fix tuple (ts : list ty) : Type :=
      match ts with [] => unit | [t] => plain_type t | t :: ts => plain_type t * tuple ts end)%type ts
  end.
Fixpoint enc (t : ty) : plain_type t -> val := match t return plain_type t -> val with
  | TInt => VInt | TBool => VBool | TText => VText | TOpt t => fun o => match o with Some x => VSome (enc t x) | None => VNone end | TBag t => fun l => bag (map (enc t) l)
  | TTup ts => fun x => VTup ((fix tuple (ts : list ty) : plain_type (TTup ts) -> list val :=
      match ts return plain_type (TTup ts) -> list val with
      | [] => fun _ => []
      | t :: ts => match ts as us return (plain_type (TTup us) -> list val) -> plain_type (TTup (t :: us)) -> list val with
          | [] => fun _ x => [enc t x] | _ :: _ => fun rest x => enc t (fst x) :: rest (snd x) end (tuple ts)
      end) ts x)
  end.
Definition encs (ts : list ty) (x : plain_type (TTup ts)) : list val := match enc (TTup ts) x with VTup l => l | _ => [] end.
Lemma enc_tup ts x : enc (TTup ts) x = VTup (encs ts x).
Proof. reflexivity. Qed.
Lemma encs_one t x : encs [t] x = [enc t x].
Proof. reflexivity. Qed.
Lemma encs_more t u us x : encs (t :: u :: us) x = enc t (fst x) :: encs (u :: us) (snd x).
Proof. reflexivity. Qed.
Fixpoint basic (t : ty) : bool := match t with TBag _ => false | TTup ts => forallb basic ts | TOpt t => basic t | _ => true end.

Lemma enc_typed t x : has_type (enc t x) t.
Proof.
  revert x; induction t using ty_ind'; intros x; try exact I.
  - destruct x; cbn; auto.
  - rewrite enc_tup. apply has_type_tup. induction ts as [|t [|u us] IH]; [constructor|rewrite encs_one; inversion H; auto|].
    rewrite encs_more. inversion H; subst. constructor; auto.
  - apply has_type_bag_of. apply Forall_map, Forall_forall. auto.
Qed.
Lemma enc_inj t : basic t = true -> forall x y, enc t x = enc t y -> x = y.
Proof.
  induction t using ty_ind'; cbn [basic]; intros B x y E; try discriminate; try (now inversion E).
  { destruct x as [x|], y as [y|]; cbn in E; try discriminate; auto. f_equal. apply IHt; auto. now inversion E. }
  rewrite !enc_tup in E. inversion E as [E']. clear E. induction ts as [|t [|u us] IH].
  - now destruct x, y.
  - inversion H; subst. rewrite !encs_one in E'. inversion E'. cbn in B. apply andb_true_iff in B. apply H2; tauto.
  - inversion H; subst. rewrite !encs_more in E'. inversion E'. cbn [forallb] in B. apply andb_true_iff in B as [B1 B2].
    destruct x as [x1 x2], y as [y1 y2]. cbn [fst snd] in *. f_equal; [now apply H2|]. now apply IH.
Qed.

(** Equality, component by component. *)
Definition option_eqb {A} (eqb : A -> A -> bool) (x y : option A) : bool := match x, y with
  | Some x, Some y => eqb x y | None, None => true | _, _ => false end.
Fixpoint plain_eqb (t : ty) : plain_type t -> plain_type t -> bool := match t return plain_type t -> plain_type t -> bool with
  | TInt => Z.eqb | TBool => Bool.eqb | TText => String.eqb | TOpt t => option_eqb (plain_eqb t) | TBag t => fun l k => veqb (bag (map (enc t) l)) (bag (map (enc t) k))
  | TTup ts => (fix tuple (ts : list ty) : plain_type (TTup ts) -> plain_type (TTup ts) -> bool :=
      match ts return plain_type (TTup ts) -> plain_type (TTup ts) -> bool with
      | [] => fun _ _ => true
      | t :: ts => match ts as us return (plain_type (TTup us) -> plain_type (TTup us) -> bool) ->
            plain_type (TTup (t :: us)) -> plain_type (TTup (t :: us)) -> bool with
          | [] => fun _ => plain_eqb t
          | _ :: _ => fun rest x y => (plain_eqb t (fst x) (fst y) && rest (snd x) (snd y))%bool end (tuple ts)
      end) ts
  end.
Lemma plain_eqb_ok t x y : plain_eqb t x y = veqb (enc t x) (enc t y).
Proof.
  revert x y; induction t using ty_ind'; intros x y; auto.
  - apply eq_true_iff_eq. rewrite veqb_eq. cbn. rewrite Z.eqb_eq. split; congruence.
  - apply eq_true_iff_eq. rewrite veqb_eq. cbn. rewrite Bool.eqb_true_iff. split; congruence.
  - apply eq_true_iff_eq. rewrite veqb_eq. cbn. rewrite String.eqb_eq. split; congruence.
  - destruct x as [x|], y as [y|]; cbn; auto. rewrite IHt. apply eq_true_iff_eq. rewrite !veqb_eq. split; congruence.
  - rewrite !enc_tup. induction ts as [|t [|u us] IH]; [reflexivity|inversion H; subst|inversion H; subst].
    + rewrite !encs_one. change (plain_eqb (TTup [t]) x y) with (plain_eqb t x y). rewrite H2. apply eq_true_iff_eq. rewrite !veqb_eq. split; congruence.
    + rewrite !encs_more. change (plain_eqb (TTup (t :: u :: us)) x y) with (plain_eqb t (fst x) (fst y) && plain_eqb (TTup (u :: us)) (snd x) (snd y)).
      rewrite H2, IH by auto. apply eq_true_iff_eq. rewrite andb_true_iff, !veqb_eq. split; [intros [-> [= ->]]; auto|intros [= -> ->]; auto].
Qed.

(** Default values, and values as what they encode. *)
Fixpoint plain_default (t : ty) : plain_type t := match t return plain_type t with
  | TInt => 0 | TBool => false | TText => ""%string | TOpt _ => None | TBag _ => []
  | TTup ts => (fix tuple (ts : list ty) : plain_type (TTup ts) := match ts return plain_type (TTup ts) with
      | [] => Datatypes.tt
      | t :: ts => match ts as us return plain_type (TTup us) -> plain_type (TTup (t :: us)) with
          | [] => fun _ => plain_default t | _ :: _ => fun rest => (plain_default t, rest) end (tuple ts)
      end) ts
  end.
Fixpoint dec (t : ty) : val -> plain_type t := match t return val -> plain_type t with
  | TInt => toZ | TBool => toB | TText => fun v => match v with VText s => s | _ => ""%string end
  | TOpt t => fun v => match v with VSome v => Some (dec t v) | _ => None end
  | TBag t => fun v => map (dec t) (elements v)
  | TTup ts => fun v => (fix tuple (ts : list ty) : list val -> plain_type (TTup ts) := match ts return list val -> plain_type (TTup ts) with
      | [] => fun _ => Datatypes.tt
      | t :: ts => match ts as us return (list val -> plain_type (TTup us)) -> list val -> plain_type (TTup (t :: us)) with
          | [] => fun _ l => dec t (hd nothing l) | _ :: _ => fun rest l => (dec t (hd nothing l), rest (tl l)) end (tuple ts)
      end) ts (components v)
  end.
Lemma default_enc t : enc t (plain_default t) = default t.
Proof.
  induction t using ty_ind'; auto. rewrite enc_tup. cbn [default]. f_equal. induction ts as [|t [|u us] IH]; [reflexivity|inversion H; subst|inversion H; subst].
  - rewrite encs_one. cbn [map]. f_equal. exact H2.
  - rewrite encs_more. change (plain_default (TTup (t :: u :: us))) with (plain_default t, plain_default (TTup (u :: us))). cbn [fst snd].
    rewrite IH by auto. cbn [map]. now rewrite H2.
Qed.
Lemma dec_enc t : basic t = true -> forall x, dec t (enc t x) = x.
Proof.
  induction t using ty_ind'; cbn [basic]; intros B x; try discriminate; auto.
  - apply toB_bool.
  - destruct x as [x|]; auto. cbn. now rewrite IHt.
  - rewrite enc_tup. induction ts as [|t [|u us] IH]; [now destruct x|inversion H; subst|inversion H; subst]; cbn [forallb] in B; apply andb_true_iff in B as [B1 B2].
    + rewrite encs_one. now apply H2.
    + rewrite encs_more. destruct x as [x y]. cbn [fst snd]. change (dec (TTup (t :: u :: us)) (VTup (enc t x :: encs (u :: us) y)))
        with (dec t (enc t x), dec (TTup (u :: us)) (VTup (encs (u :: us) y))). rewrite H2 by auto. f_equal. now apply IH.
Qed.

(** ** Functions that the statements mention *)
Fixpoint distinct {A} (eqb : A -> A -> bool) (l : list A) : list A := match l with
  | [] => [] | x :: l => x :: filter (fun y => negb (eqb x y)) (distinct eqb l) end.
Definition fold_by_key {K A B} (eqb : K -> K -> bool) (f : B -> A -> B) (z : B) (l : list (K * A)) : list (K * B) :=
  map (fun k => (k, fold_left f (map snd (filter (fun p => eqb (fst p) k) l)) z)) (distinct eqb (map fst l)).

(** ** Denotations *)
(** Functions take their arguments one by one, or as a tuple. *)
Fixpoint function_type (ts : list ty) (t : ty) : Type := match ts with [] => plain_type t | u :: ts => plain_type u -> function_type ts t end.
Fixpoint uncurried (ts : list ty) (t : ty) : function_type ts t -> plain_type (TTup ts) -> plain_type t :=
  match ts return function_type ts t -> plain_type (TTup ts) -> plain_type t with
  | [] => fun F _ => F
  | u :: us => match us as ws return (function_type ws t -> plain_type (TTup ws) -> plain_type t) -> function_type (u :: ws) t -> plain_type (TTup (u :: ws)) -> plain_type t with
      | [] => fun _ F x => F x | _ :: _ => fun rest F x => rest (F (fst x)) (snd x) end (uncurried us t)
  end.
Fixpoint called (ts : list ty) (t : ty) : function_type ts t -> list val -> plain_type t := match ts return function_type ts t -> list val -> plain_type t with
  | [] => fun F _ => F | u :: us => fun F l => called us t (F (dec u (hd nothing l))) (tl l) end.
Lemma called_encs ts t F x : forallb basic ts = true -> called ts t F (encs ts x) = uncurried ts t F x.
Proof.
  revert F x. induction ts as [|u [|v us] IH]; intros F x B; auto; cbn [forallb] in B; apply andb_true_iff in B as [B1 B2].
  - rewrite encs_one. cbn [called hd]. now rewrite dec_enc.
  - rewrite encs_more. change (called (u :: v :: us) t F (enc u (fst x) :: encs (v :: us) (snd x)))
      with (called (v :: us) t (F (dec u (enc u (fst x)))) (encs (v :: us) (snd x))). rewrite dec_enc by auto. now apply IH.
Qed.
Record inputs_of := inputs_are
  { of_input :> forall (x : string) (t : ty), plain_type t; of_function : string -> forall (ts : list ty) (t : ty), function_type ts t }.
(** What is around a term: the types of the element and of what is accumulated, if it is in a function. *)
Definition around (c : option ty) : Type := match c with Some t => plain_type t | None => unit end.
Definition function (ce ca : option ty) (t : ty) : Type := inputs_of -> around ce -> around ca -> plain_type t.
Definition some_function (ce ca : option ty) := {t : ty & function ce ca t}.

Fixpoint same_ty (t u : ty) : option (t = u) := match t, u with
  | TInt, TInt => Some eq_refl | TBool, TBool => Some eq_refl | TText, TText => Some eq_refl
  | TOpt t, TOpt u => match same_ty t u with Some E => Some match E with eq_refl => eq_refl end | None => None end
  | TBag t, TBag u => match same_ty t u with Some E => Some match E with eq_refl => eq_refl end | None => None end
  | TTup ts, TTup us =>
      match (fix all (ts us : list ty) : option (ts = us) := match ts, us with
        | [], [] => Some eq_refl
        | t :: ts, u :: us => match same_ty t u, all ts us with
            | Some E, Some F => Some match E, F with eq_refl, eq_refl => eq_refl end | _, _ => None end
        | _, _ => None end) ts us
      with Some E => Some match E with eq_refl => eq_refl end | None => None end
  | _, _ => None
  end.
Definition as_ty {P : ty -> Type} (t : ty) (d : {t : ty & P t}) : option (P t) :=
  match same_ty (projT1 d) t with Some E => Some match E in _ = u return P u with eq_refl => projT2 d end | None => None end.
Fixpoint all_as {P : ty -> Type} (t : ty) (ds : list (option {t : ty & P t})) : option (list (P t)) := match ds with
  | [] => Some []
  | Some d :: ds => match as_ty t d, all_as t ds with Some x, Some xs => Some (x :: xs) | _, _ => None end
  | None :: _ => None
  end.

Fixpoint sum_of (l : list Z) : Z := match l with [] => 0 | [x] => x | x :: l => x + sum_of l end.
Fixpoint all_of (l : list bool) : bool := match l with [] => true | [x] => x | x :: l => x && all_of l end.
Fixpoint any_of (l : list bool) : bool := match l with [] => false | [x] => x | x :: l => x || any_of l end.
Definition on_all {ce ca t} {B} (f : list (plain_type t) -> B) (ds : list (function ce ca t)) : inputs_of -> around ce -> around ca -> B :=
  fun r e a => f (map (fun d => d r e a) ds).
Fixpoint tuple_of {ce ca} (ds : list (option (some_function ce ca))) : option {ts : list ty & function ce ca (TTup ts)} := match ds with
  | [] => Some (existT (fun ts => function ce ca (TTup ts)) [] (fun _ _ _ => Datatypes.tt))
  | Some (existT _ t d) :: ds => match tuple_of ds with
      | Some (existT _ ts rest) => Some (existT (fun ts => function ce ca (TTup ts)) (t :: ts)
          (match ts as us return function ce ca (TTup us) -> function ce ca (TTup (t :: us)) with
           | [] => fun _ => d | _ :: _ => fun rest r e a => (d r e a, rest r e a) end rest))
      | None => None end
  | None :: _ => None
  end.
Fixpoint part (ts : list ty) (i : nat) : option {t : ty & plain_type (TTup ts) -> plain_type t} := match ts, i with
  | [], _ => None
  | t :: us, O => Some (existT (fun u => plain_type (TTup (t :: us)) -> plain_type u) t
      (match us as us return plain_type (TTup (t :: us)) -> plain_type t with [] => fun x => x | _ :: _ => fst end))
  | t :: us, Datatypes.S i => match part us i with
      | Some (existT _ u p) => match us as us return (plain_type (TTup us) -> plain_type u) -> option {v : ty & plain_type (TTup (t :: us)) -> plain_type v} with
          | [] => fun _ => None
          | v :: vs => fun p => Some (existT (fun w => plain_type (TTup (t :: v :: vs)) -> plain_type w) u (fun x => p (snd x)))
          end p
      | None => None end
  end.

Section Denote.
  Variables ce ca : option ty.
  Definition some (t : ty) (d : function ce ca t) : option (some_function ce ca) := Some (existT (function ce ca) t d).
  Definition as_type (t : ty) (d : option (some_function ce ca)) : option (function ce ca t) := match d with Some d => as_ty t d | None => None end.
  Definition unary (t u : ty) (f : plain_type t -> plain_type u) (d : option (some_function ce ca)) : option (some_function ce ca) :=
    match as_type t d with Some d => some u (fun r e a => f (d r e a)) | None => None end.
  Definition binary (t u v : ty) (f : plain_type t -> plain_type u -> plain_type v) (d d' : option (some_function ce ca)) : option (some_function ce ca) :=
    match as_type t d, as_type u d' with Some d, Some d' => some v (fun r e a => f (d r e a) (d' r e a)) | _, _ => None end.
  Definition many (t : ty) (f : list (plain_type t) -> plain_type t) (ds : list (option (some_function ce ca))) : option (some_function ce ca) :=
    match all_as t ds with Some ds => some t (on_all f ds) | None => None end.
End Denote.
Arguments unary {ce ca}. Arguments binary {ce ca}. Arguments many {ce ca}. Arguments as_type {ce ca}. Arguments some {ce ca}.
Definition here (c : option ty) (t : ty) : option (around c -> plain_type t) := match c return option (around c -> plain_type t) with
  | Some u => match same_ty u t with Some E => Some match E in _ = w return plain_type u -> plain_type w with eq_refl => fun x => x end | None => None end
  | None => None
  end.
(** A function applied to its arguments. *)
Fixpoint applied {ce ca} (ts : list ty) (t : ty) :
    (inputs_of -> around ce -> around ca -> function_type ts t) -> list (option (some_function ce ca)) -> option (function ce ca t) :=
  match ts return (inputs_of -> around ce -> around ca -> function_type ts t) -> list (option (some_function ce ca)) -> option (function ce ca t) with
  | [] => fun F ds => match ds with [] => Some F | _ => None end
  | u :: us => fun F ds => match ds with
      | d :: ds => match as_type u d with Some d => applied us t (fun r e a => F r e a (d r e a)) ds | None => None end
      | [] => None end
  end.
Definition lift {ce ca t} (d : function None None t) : function ce ca t := fun r _ _ => d r Datatypes.tt Datatypes.tt.

Fixpoint denote (ce ca : option ty) (t : term) {struct t} : option (some_function ce ca) := match t with
  | Int z => some TInt (fun _ _ _ => z)
  | Bool b => some TBool (fun _ _ _ => b)
  | Text s => some TText (fun _ _ _ => s)
  | Var (N x) t => some t (fun r _ _ => r x t)
  | Var _ _ => None
  | Elem t => match here ce t with Some f => some t (fun _ e _ => f e) | None => None end
  | Acc t => match here ca t with Some f => some t (fun _ _ a => f a) | None => None end
  | Op Add args => many TInt sum_of (map (denote ce ca) args)
  | Op (Scale c) [x] => unary TInt TInt (Z.mul c) (denote ce ca x)
  | Op (Div c) [x] => unary TInt TInt (fun x => x / c) (denote ce ca x)
  | Op (Mod c) [x] => unary TInt TInt (fun x => x mod c) (denote ce ca x)
  | Op Equal [x; y] => match denote ce ca x with
      | Some (existT _ t d) => binary t t TBool (plain_eqb t) (some t d) (denote ce ca y) | None => None end
  | Op Less [x; y] => match denote ce ca x with
      | Some (existT _ TText d) => binary TText TText TBool String.ltb (some TText d) (denote ce ca y)
      | d => binary TInt TInt TBool Z.ltb d (denote ce ca y) end
  | Op LessEq [x; y] => match denote ce ca x with
      | Some (existT _ TText d) => binary TText TText TBool String.leb (some TText d) (denote ce ca y)
      | d => binary TInt TInt TBool Z.leb d (denote ce ca y) end
  | Op Not [x] => unary TBool TBool negb (denote ce ca x)
  | Op And args => many TBool all_of (map (denote ce ca) args)
  | Op Or args => many TBool any_of (map (denote ce ca) args)
  | Op Tuple args => match tuple_of (map (denote ce ca) args) with Some (existT _ ts d) => some (TTup ts) d | None => None end
  | Op (Proj i) [x] => match denote ce ca x with
      | Some (existT _ (TTup ts) d) => match part ts i with Some (existT _ u p) => some u (fun r e a => p (d r e a)) | None => None end
      | _ => None end
  | Op Ite [c; x; y] => match as_type TBool (denote ce ca c), denote ce ca x with
      | Some c, Some (existT _ t d) => match as_type t (denote ce ca y) with
          | Some d' => some t (fun r e a => if c r e a then d r e a else d' r e a) | None => None end
      | _, _ => None end
  | Op (NoneOf t) [] => some (TOpt t) (fun _ _ _ => None)
  | Op SomeOf [x] => match denote ce ca x with Some (existT _ t d) => some (TOpt t) (fun r e a => Some (d r e a)) | None => None end
  | Op IsNone [x] => match denote ce ca x with
      | Some (existT _ (TOpt t) d) => some TBool (fun r e a => match d r e a with Some _ => false | None => true end) | _ => None end
  | Op (ValueOf t) [x] => match as_type (TOpt t) (denote ce ca x) with
      | Some d => some t (fun r e a => match d r e a with Some x => x | None => plain_default t end) | None => None end
  | Op (Apply f ts t) args => if forallb basic ts then match applied ts t (fun r _ _ => of_function r f ts t) (map (denote ce ca) args) with
      | Some d => some t d | None => None end else None
  | Op (Expand f ts t) [g; b] => match denote None None b with
      | Some (existT _ (TBag u) b) => match as_type (TTup ts) (denote (Some u) None g) with
          | Some g => if forallb basic ts then some (TBag (TTup [u; t])) (lift (t := TBag (TTup [u; t])) (fun r _ _ =>
              flat_map (fun x => map (fun y => (x, y)) (uncurried ts (TBag t) (of_function r f ts (TBag t)) (g r x Datatypes.tt))) (b r Datatypes.tt Datatypes.tt))) else None
          | None => None end
      | _ => None end
  | Op Without [f; b; c] => match denote None None b with
      | Some (existT _ (TBag t) b) => match denote (Some t) None f with
          | Some (existT _ k f) => match as_type (TBag k) (denote None None c) with
              | Some c => some (TBag t) (lift (t := TBag t) (fun r e a => filter (fun x => negb (existsb (plain_eqb k (f r x Datatypes.tt)) (c r e a))) (b r e a)))
              | None => None end
          | None => None end
      | _ => None end
  | Op Map [f; b] => match denote None None b with
      | Some (existT _ (TBag t) b) => match denote (Some t) None f with
          | Some (existT _ u f) => some (TBag u) (lift (t := TBag u) (fun r _ _ => map (fun x => f r x Datatypes.tt) (b r Datatypes.tt Datatypes.tt))) | None => None end
      | _ => None end
  | Op Filter [f; b] => match denote None None b with
      | Some (existT _ (TBag t) b) => match as_type TBool (denote (Some t) None f) with
          | Some f => some (TBag t) (lift (t := TBag t) (fun r _ _ => filter (fun x => f r x Datatypes.tt) (b r Datatypes.tt Datatypes.tt))) | None => None end
      | _ => None end
  | Op Cartesian [b; c] => match denote None None b, denote None None c with
      | Some (existT _ (TBag t) b), Some (existT _ (TBag u) c) =>
          some (TBag (TTup [t; u])) (lift (t := TBag (TTup [t; u])) (fun r _ _ => list_prod (b r Datatypes.tt Datatypes.tt) (c r Datatypes.tt Datatypes.tt)))
      | _, _ => None end
  | Op Union [b; c] => match denote None None b with
      | Some (existT _ (TBag t) b) => match as_type (TBag t) (denote None None c) with
          | Some c => some (TBag t) (lift (t := TBag t) (fun r e a => (b r e a ++ c r e a)%list)) | None => None end
      | _ => None end
  | Op Distinct [b] => match denote None None b with
      | Some (existT _ (TBag t) b) => some (TBag t) (lift (t := TBag t) (fun r e a => distinct (plain_eqb t) (b r e a))) | _ => None end
  | Op Fold [i; f; b] => match denote None None i, denote None None b with
      | Some (existT _ k i), Some (existT _ (TBag t) b) => match as_type k (denote (Some t) (Some k) f) with
          | Some f => some k (lift (t := k) (fun r e a => fold_left (fun m x => f r x m) (b r e a) (i r e a))) | None => None end
      | _, _ => None end
  | Op FoldByKey [i; f; b] => match denote None None i, denote None None b with
      | Some (existT _ k i), Some (existT _ (TBag (TTup [key; t])) b) => match as_type k (denote (Some t) (Some k) f) with
          | Some f => some (TBag (TTup [key; k])) (lift (t := TBag (TTup [key; k])) (fun r e a => fold_by_key (plain_eqb key) (fun m x => f r x m) (i r e a) (b r e a)))
          | None => None end
      | _, _ => None end
  | Op _ _ => None
  end.

(** ** The denotation is the meaning *)
Definition env_of (r : inputs_of) : env := fun x t => match x with
  | N s => enc t (r s t) | App f ts vs => enc t (called ts t (of_function r f ts t) vs) | _ => default t end.
Lemma env_of_typed r : typed (env_of r).
Proof. intros x t. destruct x; cbn; auto using enc_typed, default_typed. Qed.
Definition encodes (c : option ty) (v : val) : around c -> Prop := match c return around c -> Prop with Some t => fun x => v = enc t x | None => fun _ => True end.

Lemma as_ty_ok {P : ty -> Type} t (d : {t : ty & P t}) x : as_ty t d = Some x -> d = existT P t x.
Proof.
  unfold as_ty. destruct d as [u d]; cbn. destruct (same_ty u t) as [E|]; [|discriminate]. revert x. destruct E. now intros x [= <-].
Qed.
Lemma as_type_ok {ce ca} t (d : option (some_function ce ca)) x : as_type t d = Some x -> d = Some (existT _ t x).
Proof. unfold as_type. destruct d as [d|]; [|discriminate]. intros H. now rewrite (as_ty_ok _ _ _ H). Qed.

Lemma sum_of_ok l : sum_of l = fold_right Z.add 0 l.
Proof. induction l as [|x [|y l] IH]; cbn [sum_of fold_right] in *; auto; lia. Qed.
Lemma all_of_ok l : all_of l = forallb (fun b => b) l.
Proof. induction l as [|x [|y l] IH]; cbn [all_of forallb] in *; auto. - now destruct x. - now rewrite IH. Qed.
Lemma any_of_ok l : any_of l = existsb (fun b => b) l.
Proof. induction l as [|x [|y l] IH]; cbn [any_of existsb] in *; auto. - now destruct x. - now rewrite IH. Qed.
Lemma distinct_ok t l : map (enc t) (distinct (plain_eqb t) l) = dedup (map (enc t) l).
Proof.
  induction l as [|x l IH]; cbn; auto. rewrite <- IH. f_equal. clear IH. induction (distinct (plain_eqb t) l) as [|y k IH]; cbn; auto.
  rewrite plain_eqb_ok. destruct (veqb (enc t x) (enc t y)); cbn; rewrite IH; auto.
Qed.
Lemma elements_enc t l : Permutation (elements (enc (TBag t) l)) (map (enc t) l).
Proof. apply elements_bag. Qed.
Lemma fold_enc t k (F : val -> val -> val) f : (forall m x, F (enc k m) (enc t x) = enc k (f m x)) ->
  forall l z, fold_left F (map (enc t) l) (enc k z) = enc k (fold_left f l z).
Proof. intros H l. induction l as [|x l IH]; cbn; intros z; auto. now rewrite H. Qed.
Lemma filter_map_comm {A B} (g : A -> B) (p : B -> bool) (q : A -> bool) l : (forall x, p (g x) = q x) -> filter p (map g l) = map g (filter q l).
Proof. intros H. induction l as [|x l IH]; cbn; auto. rewrite H. destruct (q x); cbn; now rewrite IH. Qed.
Lemma Permutation_map_same {A B} (f g : A -> B) l : (forall x, f x = g x) -> Permutation (map f l) (map g l).
Proof. intros E. now rewrite (map_ext f g E). Qed.
Lemma Permutation_dedup l l' : Permutation l l' -> Permutation (dedup l) (dedup l').
Proof.
  intros P. apply NoDup_Permutation; auto using dedup_nodup. intros x. rewrite !dedup_in. split; apply Permutation_in; auto. now symmetry.
Qed.

Ltac one args := destruct args as [|x [|]]; try discriminate.
Ltac two args := destruct args as [|x [|y [|]]]; try discriminate.
Ltac three args := destruct args as [|x [|y [|z [|]]]]; try discriminate.
Section DenoteOk.
  Variable r : inputs_of.
  (** [d] is what the term [t] means. *)
  Definition denotes (ce ca : option ty) (t : term) (d : some_function ce ca) := forall v w e a, encodes ce v e -> encodes ca w a ->
    eval (env_of r) v w t = enc (projT1 d) (projT2 d r e a).
  Lemma all_denote ce ca t (f : list (plain_type t) -> plain_type t) args ds : Forall (fun x => forall d, denote ce ca x = Some d -> denotes ce ca x d) args ->
    all_as t (map (denote ce ca) args) = Some ds -> forall v w e a, encodes ce v e -> encodes ca w a ->
    map (eval (env_of r) v w) args = map (enc t) (map (fun d => d r e a) ds) /\ on_all f ds r e a = f (map (fun d => d r e a) ds).
  Proof.
    intros H A v w e a E W. split; auto. revert ds A. induction H as [|x l X H IH]; cbn [map all_as]; intros ds A; [now inversion A|].
    destruct (denote ce ca x) as [d|] eqn:D; [|discriminate]. destruct (as_ty t d) as [y|] eqn:Y; [|discriminate].
    destruct (all_as t (map (denote ce ca) l)) as [ys|]; [|discriminate]. inversion A; subst. apply as_ty_ok in Y. subst d.
    cbn [map]. f_equal; [now apply (X _ eq_refl)|]. now apply IH.
  Qed.
  Lemma tuple_denotes ce ca args p : Forall (fun x => forall d, denote ce ca x = Some d -> denotes ce ca x d) args ->
    tuple_of (map (denote ce ca) args) = Some p -> forall v w e a, encodes ce v e -> encodes ca w a ->
    map (eval (env_of r) v w) args = encs (projT1 p) (projT2 p r e a).
  Proof.
    intros H. revert p. induction H as [|x l X H IH]; cbn [map tuple_of]; intros p T v w e a E W; [now inversion T|].
    destruct (denote ce ca x) as [[t dx]|] eqn:D; [|discriminate]. destruct (tuple_of (map (denote ce ca) l)) as [[us rest]|] eqn:R; [|discriminate].
    revert T. intros [= <-]. cbn [projT1 projT2] in *. rewrite (X _ eq_refl v w e a E W), (IH _ eq_refl v w e a E W). cbn [projT1 projT2]. now destruct us.
  Qed.
  Lemma part_ok ts i p : part ts i = Some p -> forall x, component i (enc (TTup ts) x) = enc (projT1 p) (projT2 p x).
  Proof.
    intros H x. rewrite enc_tup. unfold component; cbn [components]. revert i p H x. induction ts as [|t us IH]; intros i p H x; [destruct i; discriminate|].
    destruct i as [|i]; cbn [part] in H.
    - inversion H; subst. cbn [projT1 projT2]. destruct us as [|u us]; [now rewrite encs_one|now rewrite encs_more].
    - destruct (part us i) as [[u q]|] eqn:Q'; [|discriminate]. specialize (IH i _ Q'). destruct us as [|v us]; [discriminate|].
      inversion H; subst. cbn [projT1 projT2] in *. rewrite encs_more. cbn [nth]. apply IH.
  Qed.
  Lemma unary_ok ce ca t u f x o F : (forall d, denote ce ca x = Some d -> denotes ce ca x d) ->
    (forall v w, eval (env_of r) v w (Op o [x]) = F (eval (env_of r) v w x)) -> (forall z, F (enc t z) = enc u (f z)) ->
    forall d, unary t u f (denote ce ca x) = Some d -> denotes ce ca (Op o [x]) d.
  Proof.
    intros X E K d U v w e a V W. unfold unary in U. destruct (as_type t (denote ce ca x)) as [dx|] eqn:A; [|discriminate].
    revert U. intros [= <-]. apply as_type_ok in A. rewrite E, (X _ A v w e a V W). cbn [projT1 projT2]. apply K.
  Qed.
  Lemma binary_ok ce ca t u k f x y o F : (forall d, denote ce ca x = Some d -> denotes ce ca x d) ->
    (forall d, denote ce ca y = Some d -> denotes ce ca y d) ->
    (forall v w, eval (env_of r) v w (Op o [x; y]) = F (eval (env_of r) v w x) (eval (env_of r) v w y)) ->
    (forall z z', F (enc t z) (enc u z') = enc k (f z z')) ->
    forall d, binary t u k f (denote ce ca x) (denote ce ca y) = Some d -> denotes ce ca (Op o [x; y]) d.
  Proof.
    intros X Y E K d U v w e a V W. unfold binary in U. destruct (as_type t (denote ce ca x)) as [dx|] eqn:A; [|discriminate].
    destruct (as_type u (denote ce ca y)) as [dy|] eqn:B; [|discriminate]. revert U. intros [= <-]. apply as_type_ok in A, B.
    rewrite E, (X _ A v w e a V W), (Y _ B v w e a V W). cbn [projT1 projT2]. apply K.
  Qed.
  Lemma here_ok c t f v e : here c t = Some f -> encodes c v e -> v = enc t (f e).
  Proof.
    destruct c as [u|]; cbn [here]; [|discriminate]. destruct (same_ty u t) as [E|]; [|discriminate]. revert f. destruct E. intros f [= <-] H. exact H.
  Qed.
  Lemma closed_bag b t d : (forall d, denote None None b = Some d -> denotes None None b d) -> denote None None b = Some (existT _ (TBag t) d) ->
    eval (env_of r) nothing nothing b = enc (TBag t) (d r Datatypes.tt Datatypes.tt).
  Proof. intros B D. exact (B _ D nothing nothing Datatypes.tt Datatypes.tt I I). Qed.

  Theorem denote_ok t : Forall (takes_any_order (env_of r)) (folds t) -> forall ce ca d, denote ce ca t = Some d -> denotes ce ca t d.
  Proof.
    induction t using term_ind'; intros FO ce ca d D.
    - cbn in D. revert D. intros [= <-]. intros v w e a V W. reflexivity.
    - cbn in D. revert D. intros [= <-]. intros v w e a V W. reflexivity.
    - cbn in D. revert D. intros [= <-]. intros v w e a V W. reflexivity.
    - cbn in D. destruct x; try discriminate. revert D. intros [= <-]. intros v w e a V W. reflexivity.
    - cbn [denote] in D. destruct (here ce t) as [f|] eqn:E; [|discriminate]. revert D. intros [= <-]. intros v w e a V W. cbn. exact (here_ok _ _ _ _ _ E V).
    - cbn [denote] in D. destruct (here ca t) as [f|] eqn:E; [|discriminate]. revert D. intros [= <-]. intros v w e a V W. cbn. exact (here_ok _ _ _ _ _ E W).
    - cbn [folds] in FO. apply Forall_app in FO as [FA FT].
      assert (X : Forall (fun x => forall ce ca d, denote ce ca x = Some d -> denotes ce ca x d) args).
      { apply Forall_forall. intros x IX. rewrite Forall_forall in H. apply H; auto. rewrite Forall_forall in *. intros y Y. apply FA, in_flat_map. eauto. }
      clear H FA. assert (XA : forall ce ca, Forall (fun x => forall d, denote ce ca x = Some d -> denotes ce ca x d) args).
      { intros c c'. eapply Forall_impl; [|exact X]. cbn. auto. }
      pose proof (proj1 (Forall_forall _ _) X) as X1. cbv beta in X1.
      destruct o; [|one args|one args|one args|two args|two args|two args|one args| | | |one args|three args|destruct args; try discriminate|one args|one args|one args| |two args|two args|two args|two args|one args|two args|three args|three args|three args].
      + (* Add *) intros v w e a V W. cbn [denote] in D. unfold many in D. destruct (all_as TInt _) as [ds|] eqn:A; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2].
        destruct (all_denote ce ca TInt sum_of args ds (XA ce ca) A v w e a V W) as [E _]. cbn [run]. rewrite E, map_map. unfold on_all. cbn [enc]. rewrite sum_of_ok. cbn [toZ]. rewrite map_id. reflexivity.
      + apply (unary_ok ce ca TInt TInt (Z.mul factor) x (Scale factor) (fun x => VInt (factor * toZ x))); first [exact D|reflexivity|apply X1; cbn; auto].
      + apply (unary_ok ce ca TInt TInt (fun x => x / divisor) x (Div divisor) (fun x => VInt (toZ x / divisor))); first [exact D|reflexivity|apply X1; cbn; auto].
      + apply (unary_ok ce ca TInt TInt (fun x => x mod divisor) x (Mod divisor) (fun x => VInt (toZ x mod divisor))); first [exact D|reflexivity|apply X1; cbn; auto].
      + (* Equal *) cbn [denote] in D. destruct (denote ce ca x) as [[t dx]|] eqn:DX; [|discriminate]. intros v w e a V W. unfold binary in D.
        destruct (as_type t (some t dx)) as [dx'|] eqn:A; [|discriminate]. destruct (as_type t (denote ce ca y)) as [dy|] eqn:B; [|discriminate].
        revert D. intros [= <-]. apply as_type_ok in A, B. assert (DX' : denote ce ca x = Some (existT _ t dx')) by (rewrite DX; exact A). cbn [run projT1 projT2].
        rewrite (X1 x (or_introl eq_refl) ce ca _ DX' v w e a V W), (X1 y (or_intror (or_introl eq_refl)) ce ca _ B v w e a V W). cbn [projT1 projT2 enc].
        now rewrite <- plain_eqb_ok.
      + (* Less *) cbn [denote] in D. destruct (denote ce ca x) as [[[] dx]|] eqn:DX; try discriminate.
        * rewrite <- DX in D. apply (binary_ok ce ca TInt TInt TBool Z.ltb x y Less (fun x y => VBool (negb (leb y x)))); first [exact D|reflexivity|apply X1; cbn; auto|idtac].
          intros m n. cbn [enc leb toZ]. now rewrite Z.ltb_antisym.
        * assert (D' : binary TText TText TBool String.ltb (denote ce ca x) (denote ce ca y) = Some d) by (rewrite DX; exact D).
          apply (binary_ok ce ca TText TText TBool String.ltb x y Less (fun x y => VBool (negb (leb y x)))); first [exact D'|reflexivity|apply X1; cbn; auto|idtac].
          intros m n. cbn [enc leb]. unfold vleb. cbn [vcompare]. rewrite (String.compare_antisym n m). unfold String.ltb. now destruct (String.compare m n).
      + (* LessEq *) cbn [denote] in D. destruct (denote ce ca x) as [[[] dx]|] eqn:DX; try discriminate.
        * rewrite <- DX in D. apply (binary_ok ce ca TInt TInt TBool Z.leb x y LessEq (fun x y => VBool (leb x y))); first [exact D|reflexivity|apply X1; cbn; auto].
        * assert (D' : binary TText TText TBool String.leb (denote ce ca x) (denote ce ca y) = Some d) by (rewrite DX; exact D).
          apply (binary_ok ce ca TText TText TBool String.leb x y LessEq (fun x y => VBool (leb x y))); first [exact D'|reflexivity|apply X1; cbn; auto].
      + apply (unary_ok ce ca TBool TBool negb x Not (fun x => VBool (negb (toB x)))); first [exact D|reflexivity|apply X1; cbn; auto|intros b; cbn [enc]; now rewrite toB_bool].
      + (* And *) intros v w e a V W. cbn [denote] in D. unfold many in D. destruct (all_as TBool _) as [ds|] eqn:A; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2].
        destruct (all_denote ce ca TBool all_of args ds (XA ce ca) A v w e a V W) as [E _]. cbn [run]. rewrite E. unfold on_all. cbn [enc]. rewrite all_of_ok. f_equal.
        clear. induction ds as [|d ds IH]; cbn [map forallb]; auto. now rewrite IH, toB_bool.
      + (* Or *) intros v w e a V W. cbn [denote] in D. unfold many in D. destruct (all_as TBool _) as [ds|] eqn:A; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2].
        destruct (all_denote ce ca TBool any_of args ds (XA ce ca) A v w e a V W) as [E _]. cbn [run]. rewrite E. unfold on_all. cbn [enc]. rewrite any_of_ok. f_equal.
        clear. induction ds as [|d ds IH]; cbn [map existsb]; auto. now rewrite IH, toB_bool.
      + (* Tuple *) intros v w e a V W. cbn [denote] in D. destruct (tuple_of _) as [[ts dt]|] eqn:A; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run].
        rewrite (tuple_denotes ce ca args _ (XA ce ca) A v w e a V W). reflexivity.
      + (* Proj *) intros v w e a V W. cbn [denote] in D. destruct (denote ce ca x) as [[t dx]|] eqn:DX; [|discriminate]. destruct t as [| | | |ts|]; try discriminate.
        destruct (part ts index) as [[u p]|] eqn:PP; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run].
        rewrite (X1 x (or_introl eq_refl) ce ca _ DX v w e a V W). cbn [projT1 projT2]. exact (part_ok ts index _ PP _).
      + (* Ite *) intros v w e a V W. cbn [denote] in D. destruct (as_type TBool (denote ce ca x)) as [dc|] eqn:C; [|discriminate].
        destruct (denote ce ca y) as [[t dy]|] eqn:DY; [|discriminate]. destruct (as_type t (denote ce ca z)) as [dz|] eqn:DZ; [|discriminate].
        revert D. intros [= <-]. apply as_type_ok in C, DZ. cbn [run projT1 projT2].
        rewrite (X1 x (or_introl eq_refl) ce ca _ C v w e a V W). cbn [projT1 projT2 enc]. rewrite toB_bool.
        destruct (dc r e a); [exact (X1 y (or_intror (or_introl eq_refl)) ce ca _ DY v w e a V W)|].
        exact (X1 z (or_intror (or_intror (or_introl eq_refl))) ce ca _ DZ v w e a V W).
      + (* NoneOf *) revert D. intros [= <-]. intros v w e a V W. reflexivity.
      + (* SomeOf *) intros v w e a V W. cbn [denote] in D. destruct (denote ce ca x) as [[t dx]|] eqn:DX; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run enc].
        now rewrite (X1 x (or_introl eq_refl) ce ca _ DX v w e a V W).
      + (* IsNone *) intros v w e a V W. cbn [denote] in D. destruct (denote ce ca x) as [[[| | |t| |] dx]|] eqn:DX; try discriminate. revert D. intros [= <-]. cbn [projT1 projT2 run enc].
        rewrite (X1 x (or_introl eq_refl) ce ca _ DX v w e a V W). cbn [projT1 projT2 enc]. now destruct (dx r e a).
      + (* ValueOf *) intros v w e a V W. cbn [denote] in D. destruct (as_type (TOpt t) (denote ce ca x)) as [dx|] eqn:A; [|discriminate]. revert D. intros [= <-]. apply as_type_ok in A.
        cbn [projT1 projT2 run]. rewrite (X1 x (or_introl eq_refl) ce ca _ A v w e a V W). cbn [projT1 projT2 enc]. destruct (dx r e a); auto. symmetry. apply default_enc.
      + (* Apply *) cbn [denote] in D. destruct (forallb basic takes) eqn:B; [|discriminate].
        destruct (applied takes gives _ _) as [d'|] eqn:A; [|discriminate]. revert D. intros [= <-]. intros v w e a V W. cbn [projT1 projT2 run].
        cbn [env_of]. f_equal. pose proof (XA ce ca) as Y. clear X X1 XA FT.
        assert (G : forall F, applied takes gives F (map (denote ce ca) args) = Some d' -> called takes gives (F r e a) (map (eval (env_of r) v w) args) = d' r e a).
        { clear A. revert args Y. induction takes as [|u us IH]; intros [|y args] Y F A; cbn [applied map] in A; try discriminate; [now inversion A|].
          destruct (as_type u (denote ce ca y)) as [dy|] eqn:AY; [|discriminate]. apply as_type_ok in AY. cbn [forallb] in B. apply andb_true_iff in B as [B1 B2].
          inversion Y as [|? ? Y1 Y2]; subst. cbn [map called hd tl]. rewrite (Y1 _ AY v w e a V W). cbn [projT1 projT2]. rewrite dec_enc by auto.
          exact (IH B2 args Y2 (fun r e a => F r e a (dy r e a)) A). }
        exact (G _ A).
      + (* Map *) intros v w e a V W. cbn [denote] in D. destruct (denote None None y) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (denote (Some t) None x) as [[u f]|] eqn:DF; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run].
        rewrite (closed_bag y t b (X1 y (or_intror (or_introl eq_refl)) None None) DB). apply bag_same. cbn [lift].
        etransitivity; [apply Permutation_map, elements_enc|]. unfold lift. rewrite !map_map. apply Permutation_map_same. intros p.
        exact (X1 x (or_introl eq_refl) (Some t) None _ DF (enc t p) nothing p Datatypes.tt eq_refl I).
      + (* Filter *) intros v w e a V W. cbn [denote] in D. destruct (denote None None y) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (as_type TBool (denote (Some t) None x)) as [f|] eqn:DF; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run]. apply as_type_ok in DF.
        rewrite (closed_bag y t b (X1 y (or_intror (or_introl eq_refl)) None None) DB). apply bag_same.
        etransitivity; [apply Permutation_filter, elements_enc|]. unfold lift. rewrite (filter_map_comm (enc t) _ (fun p => f r p Datatypes.tt)); [reflexivity|]. intros p.
        rewrite (X1 x (or_introl eq_refl) (Some t) None _ DF (enc t p) nothing p Datatypes.tt eq_refl I). cbn [projT1 projT2 enc]. apply toB_bool.
      + (* Cartesian *) intros v w e a V W. cbn [denote] in D. destruct (denote None None x) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (denote None None y) as [[[| | | | |u] c]|] eqn:DC; try discriminate. revert D. intros [= <-]. cbn [projT1 projT2 run].
        rewrite (closed_bag x t b (X1 x (or_introl eq_refl) None None) DB), (closed_bag y u c (X1 y (or_intror (or_introl eq_refl)) None None) DC). apply bag_same.
        etransitivity; [apply (Permutation_flat_map' _ (fun p => map (fun q => VTup [p; q]) (map (enc u) (c r Datatypes.tt Datatypes.tt))) _ _ (elements_enc t _)); intros p _; apply Permutation_map, elements_enc|].
        unfold lift. induction (b r Datatypes.tt Datatypes.tt) as [|p l IH]; cbn [map flat_map list_prod]; [constructor|]. rewrite map_app. apply Permutation_app; auto.
        rewrite !map_map. reflexivity.
      + (* Union *) intros v w e a V W. cbn [denote] in D. destruct (denote None None x) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (as_type (TBag t) (denote None None y)) as [c|] eqn:DC; [|discriminate]. revert D. intros [= <-]. cbn [projT1 projT2 run]. apply as_type_ok in DC.
        rewrite (closed_bag x t b (X1 x (or_introl eq_refl) None None) DB), (closed_bag y t c (X1 y (or_intror (or_introl eq_refl)) None None) DC). apply bag_same.
        unfold lift. rewrite map_app. apply Permutation_app; apply elements_enc.
      + (* Distinct *) intros v w e a V W. cbn [denote] in D. destruct (denote None None x) as [[[| | | | |t] b]|] eqn:DB; try discriminate. revert D. intros [= <-]. cbn [projT1 projT2 run].
        rewrite (closed_bag x t b (X1 x (or_introl eq_refl) None None) DB). apply bag_same. unfold lift. rewrite distinct_ok. apply Permutation_dedup, elements_enc.
      + (* Expand *) intros v w e a V W. cbn [denote] in D. destruct (denote None None y) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (as_type (TTup takes) (denote (Some t) None x)) as [g|] eqn:DG; [|discriminate]. destruct (forallb basic takes) eqn:B; [|discriminate].
        revert D. intros [= <-]. cbn [projT1 projT2 run]. apply as_type_ok in DG.
        rewrite (closed_bag y t b (X1 y (or_intror (or_introl eq_refl)) None None) DB). apply bag_same.
        etransitivity; [apply (Permutation_flat_map' _ (fun v => map (fun y => VTup [v; y]) (elements (env_of r (App f takes (components (eval (env_of r) v nothing x))) (TBag item)))) _ _ (elements_enc t _)); auto|].
        unfold lift. induction (b r Datatypes.tt Datatypes.tt) as [|p l IH]; cbn [map flat_map]; [constructor|]. rewrite map_app. apply Permutation_app; auto.
        rewrite (X1 x (or_introl eq_refl) (Some t) None _ DG (enc t p) nothing p Datatypes.tt eq_refl I). cbn [projT1 projT2]. rewrite enc_tup. cbn [components env_of].
        rewrite called_encs by auto. etransitivity; [apply Permutation_map, elements_enc|]. rewrite !map_map. reflexivity.
      + (* Without *) intros v w e a V W. cbn [denote] in D. destruct (denote None None y) as [[[| | | | |t] b]|] eqn:DB; try discriminate.
        destruct (denote (Some t) None x) as [[k f]|] eqn:DF; [|discriminate]. destruct (as_type (TBag k) (denote None None z)) as [c|] eqn:DC; [|discriminate].
        revert D. intros [= <-]. cbn [projT1 projT2 run]. apply as_type_ok in DC.
        rewrite (closed_bag y t b (X1 y (or_intror (or_introl eq_refl)) None None) DB), (closed_bag z k c (X1 z (or_intror (or_intror (or_introl eq_refl))) None None) DC). apply bag_same.
        etransitivity; [apply Permutation_filter, elements_enc|]. unfold lift.
        rewrite (filter_map_comm (enc t) _ (fun p => negb (existsb (plain_eqb k (f r p Datatypes.tt)) (c r Datatypes.tt Datatypes.tt)))); [reflexivity|]. intros p.
        rewrite (X1 x (or_introl eq_refl) (Some t) None _ DF (enc t p) nothing p Datatypes.tt eq_refl I). cbn [projT1 projT2]. f_equal. apply eq_true_iff_eq.
        rewrite !existsb_exists. split.
        * intros (u & U & E). apply (Permutation_in _ (elements_enc k _)), in_map_iff in U as (q & <- & U). exists q. split; auto. now rewrite plain_eqb_ok.
        * intros (q & U & E). exists (enc k q). split; [|now rewrite <- plain_eqb_ok]. apply (Permutation_in _ (Permutation_sym (elements_enc k _))). now apply in_map.
      + (* Fold *) intros v w e a V W. cbn [denote] in D. destruct (denote None None x) as [[k i]|] eqn:DI; [|discriminate].
        destruct (denote None None z) as [[[| | | | |t] b]|] eqn:DB; try discriminate. destruct (as_type k (denote (Some t) (Some k) y)) as [f|] eqn:DF; [|discriminate].
        revert D. intros [= <-]. cbn [projT1 projT2]. apply as_type_ok in DF. inversion FT as [|? ? T _]; subst. cbn [takes_any_order] in T.
        change (eval (env_of r) v w (Op Fold [x; y; z])) with (meaning (env_of r) (Op Fold [x; y; z])).
        pose proof (closed_bag z t b (X1 z (or_intror (or_intror (or_introl eq_refl))) None None) DB) as B.
        rewrite <- (T (map (enc t) (b r Datatypes.tt Datatypes.tt))) by (unfold meaning; rewrite B; apply elements_enc).
        unfold meaning. rewrite (X1 x (or_introl eq_refl) None None _ DI nothing nothing Datatypes.tt Datatypes.tt I I). cbn [projT1 projT2].
        apply (fold_enc t k). intros m p. exact (X1 y (or_intror (or_introl eq_refl)) (Some t) (Some k) _ DF (enc t p) (enc k m) p m eq_refl eq_refl).
      + (* FoldByKey *) intros v w e a V W. cbn [denote] in D. destruct (denote None None x) as [[k i]|] eqn:DI; [|discriminate].
        destruct (denote None None z) as [[[| | | | |[| | | |[|key [|t [|]]]|]] b]|] eqn:DB; try discriminate.
        destruct (as_type k (denote (Some t) (Some k) y)) as [f|] eqn:DF; [|discriminate].
        revert D. intros [= <-]. cbn [projT1 projT2]. apply as_type_ok in DF. inversion FT as [|? ? T _]; subst. cbn [takes_any_order] in T.
        pose proof (closed_bag z (TTup [key; t]) b (X1 z (or_intror (or_intror (or_introl eq_refl))) None None) DB) as B.
        set (l := b r Datatypes.tt Datatypes.tt) in *. fold (meaning (env_of r) z) in B. cbn [run in_order]. fold (meaning (env_of r) z) (meaning (env_of r) x).
        set (pairs := elements (meaning (env_of r) z)) in *.
        assert (P : Permutation pairs (map (enc (TTup [key; t])) l)) by (unfold pairs; rewrite B; apply elements_enc).
        assert (EI : meaning (env_of r) x = enc k (i r Datatypes.tt Datatypes.tt)) by exact (X1 x (or_introl eq_refl) None None _ DI nothing nothing Datatypes.tt Datatypes.tt I I).
        assert (KEYS : Permutation (dedup (map (component 0) pairs)) (map (enc key) (distinct (plain_eqb key) (map fst (l : list (plain_type key * plain_type t)))))).
        { rewrite distinct_ok. apply Permutation_dedup. etransitivity; [apply Permutation_map; exact P|]. rewrite !map_map. reflexivity. }
        apply bag_same. etransitivity; [apply Permutation_map; exact KEYS|].
        unfold lift, fold_by_key. fold l. rewrite !map_map. apply Permutation_map_same. intros kk.
        change (VTup [enc key kk; fold_left (fun m p => eval (env_of r) p m y) (values_of_key (enc key kk) pairs) (meaning (env_of r) x)] =
          VTup [enc key kk; enc k (fold_left (fun m p => f r p m) (map snd (filter (fun p : plain_type (TTup [key; t]) => plain_eqb key (fst p) kk) l)) (i r Datatypes.tt Datatypes.tt))]).
        do 3 f_equal. rewrite <- (T (enc key kk) (map (enc t) (map snd (filter (fun p : plain_type (TTup [key; t]) => plain_eqb key (fst p) kk) l)))).
        * rewrite EI. apply (fold_enc t k). intros m p. exact (X1 y (or_intror (or_introl eq_refl)) (Some t) (Some k) _ DF (enc t p) (enc k m) p m eq_refl eq_refl).
        * unfold values_of_key. etransitivity; [apply Permutation_map, Permutation_filter; exact P|].
          rewrite (filter_map_comm (enc (TTup [key; t])) _ (fun p : plain_type (TTup [key; t]) => plain_eqb key (fst p) kk)).
          -- rewrite !map_map. reflexivity.
          -- intros p. change (component 0 (enc (TTup [key; t]) p)) with (enc key (fst p)). symmetry. apply plain_eqb_ok.
  Qed.
End DenoteOk.

(** ** Statements about two programs *)
Definition same_plain (t : ty) : plain_type t -> plain_type t -> Prop := match t return plain_type t -> plain_type t -> Prop with
  | TBag u => @Permutation (plain_type u) | _ => eq end.
Definition flat (t : ty) : bool := match t with TBag u => basic u | _ => basic t end.
Lemma enc_same t x y : flat t = true -> enc t x = enc t y <-> same_plain t x y.
Proof.
  intros B. split.
  - destruct t; try (exact (enc_inj _ B x y)). cbn [enc flat same_plain] in *. rewrite bag_same. intros P.
    apply Permutation_map_inv in P as (z & E & P). assert (N : x = z).
    { clear P. revert z E. induction x as [|a x IH]; intros [|c z] E; try discriminate; auto. inversion E. f_equal; auto. now apply (enc_inj t). }
    subst z. now symmetry.
  - destruct t; try (now intros ->). cbn [enc same_plain]. intros P. apply bag_same. now apply Permutation_map.
Qed.

(** Both denotations relate as [R] says; what has none is no statement. *)
Definition statement (R : forall t, plain_type t -> plain_type t -> Prop) (p q : program) (r : inputs_of) : Prop :=
  match denote None None (expression p), denote None None (expression q) with
  | Some (existT _ t d), Some (existT _ u d') => match same_ty u t with
      | Some E => if flat t then R t (d r Datatypes.tt Datatypes.tt) (match E in _ = w return plain_type w with eq_refl => d' r Datatypes.tt Datatypes.tt end) else True
      | None => True end
  | _, _ => True
  end.
Lemma ways_order fuel ones p r : forallb (holds fuel) ones = true -> has_ways ones p = true -> typed r ->
  Forall (takes_any_order r) (folds (expression p)).
Proof.
  intros O W R. unfold has_ways in W. rewrite andb_true_iff, forallb_forall in W. destruct W as [_ W]. apply Forall_forall. intros t T.
  assert (C : exists merge, In (t, merge) (ways p)).
  { unfold ways. destruct (listed p t) eqn:L.
    - apply existsb_term, in_map_iff in L as ([u m] & <- & L). exists m. apply in_or_app. auto.
    - exists None. apply in_or_app. right. apply (in_map (fun t => (t, None))), filter_In. rewrite L. split; auto. apply in_or_app. auto. }
  destruct C as (merge & C). specialize (W _ C). apply (covers_ok fuel ones t None O); auto. apply existsb_exists in W as (o & I & W).
  apply existsb_exists. exists o. split; auto. unfold covers in *. cbn [fst snd] in *. apply andb_true_iff in W as [-> _]. reflexivity.
Qed.
Theorem plain_sound fuel p q by_ ones : check fuel p q by_ ones = true -> forall r, statement same_plain p q r.
Proof.
  unfold check. rewrite !andb_true_iff. intros [[[[_ C] O] A] B] r. unfold statement.
  pose proof (denote_ok r _ (ways_order fuel ones p _ O A (env_of_typed r)) None None) as DP.
  pose proof (denote_ok r _ (ways_order fuel ones q _ O B (env_of_typed r)) None None) as DQ.
  pose proof (proves_ok _ _ _ _ _ C (env_of r) (env_of_typed r) eq_refl) as M.
  destruct (denote None None (expression p)) as [[t d]|]; auto. destruct (denote None None (expression q)) as [[u d']|]; auto.
  destruct (same_ty u t) as [E|]; auto. destruct (flat t) eqn:F; auto. apply enc_same; auto.
  specialize (DP _ eq_refl nothing nothing Datatypes.tt Datatypes.tt I I). specialize (DQ _ eq_refl nothing nothing Datatypes.tt Datatypes.tt I I).
  unfold meaning in M. cbn [projT1 projT2] in DP, DQ. rewrite DP, DQ in M. clear -M. destruct E. exact M.
Qed.
(** What two lists or values encode tells them apart. *)
Theorem plain_differ t x y : flat t = true -> veqb (enc t x) (enc t y) = false -> ~ same_plain t x y.
Proof. intros F V E. apply (enc_same t x y F) in E. apply veqb_neq in V. contradiction. Qed.

(** Inputs and functions by their names. *)
Definition value_of_type (t : ty) (x : plain_type t) : {t : ty & plain_type t} := existT plain_type t x.
Definition function_of_type (ts : list ty) (t : ty) (f : function_type ts t) : {ft : list ty * ty & function_type (fst ft) (snd ft)} :=
  existT (fun ft => function_type (fst ft) (snd ft)) (ts, t) f.
Fixpoint given_value (l : list (string * {t : ty & plain_type t})) (x : string) (t : ty) : plain_type t := match l with
  | [] => plain_default t
  | (y, v) :: l => if String.eqb x y then match as_ty t v with Some z => z | None => given_value l x t end else given_value l x t
  end.
Fixpoint same_tys (ts us : list ty) : option (ts = us) := match ts, us with
  | [], [] => Some eq_refl
  | t :: ts, u :: us => match same_ty t u, same_tys ts us with
      | Some E, Some F => Some match E, F with eq_refl, eq_refl => eq_refl end | _, _ => None end
  | _, _ => None
  end.
Fixpoint no_function (ts : list ty) (t : ty) : function_type ts t := match ts with [] => plain_default t | _ :: us => fun _ => no_function us t end.
Definition as_function (ts : list ty) (t : ty) (d : {ft : list ty * ty & function_type (fst ft) (snd ft)}) : option (function_type ts t) :=
  match same_tys (fst (projT1 d)) ts, same_ty (snd (projT1 d)) t with
  | Some E, Some F => Some match E in _ = ws, F in _ = w return function_type ws w with eq_refl, eq_refl => projT2 d end
  | _, _ => None
  end.
Fixpoint given_function (l : list (string * {ft : list ty * ty & function_type (fst ft) (snd ft)})) (f : string) (ts : list ty) (t : ty) : function_type ts t :=
  match l with
  | [] => no_function ts t
  | (g, v) :: l => if String.eqb f g then match as_function ts t v with Some h => h | None => given_function l f ts t end else given_function l f ts t
  end.
Definition given values functions : inputs_of := inputs_are (given_value values) (given_function functions).
